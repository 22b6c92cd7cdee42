import { Button } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import { Icon } from './Icon.tsx';
import './SearchField.css';

interface SearchFieldProps {
  /** Accessible name and placeholder. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A text that narrows down what is shown; Escape clears it. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <AriaSearchField aria-label={label} value={value} onChange={onChange} className="ui-search">
      <Input placeholder={label} className="ui-text-input" />
      {value !== '' && (
        <Button className="ui-button ui-button-plain ui-search-clear">
          <Icon name="close" />
        </Button>
      )}
    </AriaSearchField>
  );
}
