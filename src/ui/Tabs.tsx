import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';
import './Tabs.css';

export interface TabInfo {
  readonly id: string;
  readonly title: string;
  readonly content: ReactNode;
}

interface TabsProps {
  /** Accessible name of the row of tabs. */
  readonly label: string;
  readonly tabs: readonly TabInfo[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** Several views in one place, one of them shown. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  return (
    <AriaTabs className="ui-tabs" selectedKey={selected} onSelectionChange={(key) => onSelect(String(key))}>
      <TabList aria-label={label} className="ui-tablist">
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className="ui-tab">
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="ui-tabpanel">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
