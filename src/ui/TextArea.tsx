import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea';
import { TextField } from 'react-aria-components/TextField';

interface TextAreaProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  /** Without it the text can be read and copied only. */
  readonly onChange?: (value: string) => void;
  readonly rows: number;
}

/** Several lines of text, to type or paste or copy. The first thing in a dialog that one has to do with. */
export function TextArea({ label, description, value, onChange, rows }: TextAreaProps) {
  const isReadOnly = onChange === undefined;
  return (
    <TextField
      value={value}
      {...(isReadOnly ? {} : { onChange })}
      isReadOnly={isReadOnly}
      autoFocus
      className="ui-text-area"
    >
      <Label className="ui-label">{label}</Label>
      <AriaTextArea
        className="ui-text-input ui-mono"
        rows={rows}
        spellCheck="false"
        onFocus={(event) => {
          if (isReadOnly) event.currentTarget.select();
        }}
      />
      {description !== undefined && (
        <Text slot="description" className="ui-label">
          {description}
        </Text>
      )}
    </TextField>
  );
}
