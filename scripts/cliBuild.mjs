/** Name of the built command -> its source. An entry whose source does not exist is left out of the build. */
export const cliEntries = { main: 'cli/main.ts', oracle: 'cli/oracle.ts', bench: 'bench/main.ts' };
