import { runCommand } from './cliBuild.mjs';

await runCommand('oracle');
