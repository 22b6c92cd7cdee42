import { SPEEDS_NS_PER_SEC } from '../../state/viewStore.ts';
import { Select } from '../../ui/Select.tsx';
import { useSession, useView } from '../session.ts';
import { ActionButton } from './ActionButton.tsx';
import { Clock } from './Clock.tsx';
import { formatSpeed, speedNote } from './formatSpeed.ts';

function PlayButton() {
  const isPlaying = useView((view) => view.isPlaying);
  return (
    <ActionButton
      id="play"
      icon={isPlaying ? 'pause' : 'play'}
      text={isPlaying ? 'Pause' : 'Play'}
      label={isPlaying ? 'Pause' : 'Play'}
      look="primary"
    />
  );
}

function SpeedSelect() {
  const { view } = useSession();
  const speed = useView(({ speedNsPerSec }) => speedNsPerSec);
  return (
    <Select
      label="Speed"
      isMono
      value={String(speed)}
      groups={[
        {
          title: '',
          options: SPEEDS_NS_PER_SEC.map((ns) => ({
            id: String(ns),
            label: formatSpeed(ns),
            note: speedNote(ns),
          })),
        },
      ]}
      onChange={(id) => view.setState({ speedNsPerSec: Number(id) })}
    />
  );
}

/** Moving through the run: buttons, clock, speed. */
export function Transport() {
  return (
    <div className="app-transport" role="group" aria-label="Playing">
      <ActionButton id="toStart" icon="start" />
      <ActionButton id="previousGp" icon="previousGp" />
      <ActionButton id="stepBack" icon="stepBack" text="step" />
      <PlayButton />
      <ActionButton id="step" icon="step" text="step" />
      <ActionButton id="nextGp" icon="nextGp" />
      <Clock />
      <SpeedSelect />
    </div>
  );
}
