import { useEffect, useState } from 'react';
import { Button } from './Button.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for the accessible name: "Copy boot arguments". */
  readonly label: string;
  readonly children?: string;
}

const shownMs = 2000;

/** Puts `text` on the clipboard and says whether that worked. */
export function CopyButton({ text, label, children = 'Copy' }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'refused'>();
  useEffect(() => {
    if (result === undefined) return;
    const timer = setTimeout(() => setResult(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setResult('copied');
    } catch {
      setResult('refused');
    }
  };
  const shown =
    result === 'copied' ? 'Copied' : result === 'refused' ? 'Select it and press Ctrl+C' : children;
  return (
    <>
      <Button aria-label={label} onPress={() => void copy()}>
        {shown}
      </Button>
      <span role="status" className="ui-visually-hidden">
        {result === undefined ? '' : shown}
      </span>
    </>
  );
}
