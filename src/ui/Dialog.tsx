import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { IconButton } from './Button.tsx';
import { Icon } from './Icon.tsx';
import './Dialog.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog. Escape, the cross and a click outside close it; the focus returns to where it was. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  return (
    <ModalOverlay
      className="ui-backdrop"
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className="ui-modal">
        <AriaDialog className="ui-dialog">
          <header className="ui-dialog-header">
            <Heading slot="title" className="ui-dialog-title">
              {title}
            </Heading>
            <IconButton label="Close" icon={<Icon name="close" />} look="plain" onPress={onClose} />
          </header>
          <div className="ui-dialog-body">{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
