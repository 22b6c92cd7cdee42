/** Measured and simulated figures as text. */
import type { Figures } from './judge.ts';

const us = (ns: number) => (ns / 1000).toFixed(1);
const percent = (simulated: number, measured: number) => {
  const share = (simulated / measured - 1) * 100;
  return `${share >= 0 ? '+' : ''}${share.toFixed(1)} %`;
};

/** "p50 measured simulated difference  p90 ...  mean ...", in us. */
export function compared(simulated: Figures, measured: Figures): string {
  return (['p50', 'p90', 'mean'] as const)
    .map(
      (key) => `${key} ${us(measured[key])} ${us(simulated[key])} ${percent(simulated[key], measured[key])}`,
    )
    .join('  ');
}
