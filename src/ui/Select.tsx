import { memo, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Header } from 'react-aria-components/Header';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { Text } from 'react-aria-components/Text';
import { cx } from './cx.ts';
import { useStable } from './useStable.ts';
import './Select.css';

export interface SelectOption {
  readonly id: string;
  readonly label: string;
  /** A second, quieter line. */
  readonly note?: string;
  readonly isDisabled?: boolean;
}

/** Options under a heading; without one if `title` is empty. */
export interface SelectGroup {
  readonly title: string;
  readonly options: readonly SelectOption[];
}

interface SelectProps {
  /** Accessible name; drawn above the button if `isLabelShown`. */
  readonly label: string;
  readonly isLabelShown?: boolean;
  readonly value: string;
  readonly groups: readonly SelectGroup[];
  readonly onChange: (id: string) => void;
  /** What the closed button shows; default: the chosen option's label. */
  readonly shown?: string;
  readonly isDisabled?: boolean;
  readonly isMono?: boolean;
  readonly className?: string;
}

function Option({ option }: { readonly option: SelectOption }) {
  return (
    <ListBoxItem
      id={option.id}
      textValue={option.label}
      className="ui-option"
      isDisabled={option.isDisabled ?? false}
    >
      <Text slot="label">{option.label}</Text>
      {option.note !== undefined && (
        <Text slot="description" className="ui-option-note">
          {option.note}
        </Text>
      )}
    </ListBoxItem>
  );
}

/** One of many, in a list that opens. */
export function Select({ onChange, ...rest }: SelectProps) {
  return <Chooser {...rest} onChange={useStable(onChange)} />;
}

/** Options are made anew by most who show them; equal ones are the same. */
function areSameGroups(a: readonly SelectGroup[], b: readonly SelectGroup[]): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function showTheSame({ groups: a, ...before }: SelectProps, { groups: b, ...after }: SelectProps): boolean {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof typeof before>;
  return [...keys].every((key) => Object.is(before[key], after[key])) && areSameGroups(a, b);
}

/** The chosen option alone. */
function chosenOnly(groups: readonly SelectGroup[], value: string): readonly SelectGroup[] {
  return groups
    .map(({ title, options }) => ({ title, options: options.filter(({ id }) => id === value) }))
    .filter(({ options }) => options.length > 0);
}

/**
 * Drawn again when what it shows has changed. A list is built even while it is closed: until somebody points at it or
 * comes to it with the keyboard it is that of the chosen option.
 */
const Chooser = memo(function Chooser(props: SelectProps) {
  const { label, isLabelShown = false, value, onChange, shown, isDisabled = false } = props;
  const [isAwake, setIsAwake] = useState(false);
  const wake = () => setIsAwake(true);
  const groups = isAwake ? props.groups : chosenOnly(props.groups, value);
  return (
    <AriaSelect
      {...(isLabelShown ? {} : { 'aria-label': label })}
      value={value}
      onChange={(key) => {
        if (typeof key === 'string') onChange(key);
      }}
      isDisabled={isDisabled}
      onOpenChange={wake}
      className={cx('ui-select', props.isMono === true && 'ui-mono', props.className)}
    >
      {isLabelShown && <Label className="ui-label">{label}</Label>}
      <Button
        className="ui-button ui-button-framed ui-select-button"
        onFocus={wake}
        onHoverStart={wake}
        onPressStart={wake}
      >
        {shown === undefined ? (
          <SelectValue className="ui-select-value">{({ selectedText }) => selectedText}</SelectValue>
        ) : (
          <SelectValue className="ui-select-value">{() => shown}</SelectValue>
        )}
        <span aria-hidden="true" className="ui-select-arrow">
          ▾
        </span>
      </Button>
      <Popover className="ui-popover ui-select-popover">
        <ListBox className="ui-listbox">
          {groups.map((group) =>
            group.title === '' ? (
              group.options.map((option) => <Option key={option.id} option={option} />)
            ) : (
              <ListBoxSection key={group.title} id={`group:${group.title}`} className="ui-option-group">
                <Header className="ui-option-header">{group.title}</Header>
                {group.options.map((option) => (
                  <Option key={option.id} option={option} />
                ))}
              </ListBoxSection>
            ),
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}, showTheSame);
