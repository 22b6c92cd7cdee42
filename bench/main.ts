/** `npm run -s bench`: ratios of two things measured in one run; times alone mean little on a shared machine. */
import { bootStormSpeed } from './bootStormSpeed.ts';
import { dragFrames } from './dragFrames.ts';
import { floodSpeed } from './floodSpeed.ts';
import { treeScaling } from './treeScaling.ts';

bootStormSpeed();
floodSpeed();
treeScaling();
await dragFrames();
