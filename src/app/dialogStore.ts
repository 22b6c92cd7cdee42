import { createStore } from 'zustand/vanilla';

export type DialogId = 'help' | 'share' | 'commandLine' | 'machine' | 'flavours';

/** Which dialog is open, if any. */
export function createDialogStore() {
  const store = createStore<{ readonly open: DialogId | undefined }>(() => ({ open: undefined }));
  return {
    ...store,
    show: (open: DialogId) => store.setState({ open }),
    close: () => store.setState({ open: undefined }),
  };
}
