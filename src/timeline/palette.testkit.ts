/** A palette in which every colour is told apart. */
import type { ColourName, Palette } from './palette.ts';

const COLOURS: Readonly<Record<ColourName, string>> = {
  panel: '#000000',
  raised: '#101010',
  line: '#202020',
  text: '#ffffff',
  muted: '#aaaaaa',
  faint: '#555555',
  reader: '#0000ff',
  poll: '#ff8000',
  sleep: '#8000ff',
  gp: '#00ff00',
  callback: '#ffff00',
  expedited: '#ff00ff',
  memory: '#7cc7ee',
  idle: '#303030',
  error: '#ff0000',
};

export const TEST_PALETTE: Palette = { colours: COLOURS, font: 'mono' };
