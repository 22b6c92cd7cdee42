/** The command line (docs/configuration.md): words in, exit status out. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { EXIT, Fault, fault } from './fault.ts';
import { HELP } from './help.ts';
import { importFile } from './importCommand.ts';
import type { Io } from './io.ts';
import { listMachine, listProfiles, listScenarios } from './listCommands.ts';
import { listParams } from './listParams.ts';
import { runMany, runOne } from './runCommand.ts';
import type { ResultOptions } from './simulate.ts';
import { sweep } from './sweepCommand.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

interface Command {
  readonly options: Options;
  /** Throws a Fault on bad input. `script` is the program's own module, for worker threads. */
  run(words: readonly string[], values: Values, io: Io, script: URL): number | Promise<number>;
}

const JSON_OPTION: Options = { json: { type: 'boolean' } };
const RESULT_OPTIONS: Options = { ...JSON_OPTION, values: { type: 'boolean' }, check: { type: 'boolean' } };
const text = (value: Values[string]) => value as string | undefined;

function resultOptions(values: Values): ResultOptions {
  return { values: values.values === true, check: values.check === true };
}

function noWords(words: readonly string[]): void {
  if (words[0] !== undefined) throw fault(`${words[0]}: this command takes options only`);
}

/** A command that lists something. */
function listing(list: (isJson: boolean, io: Io) => number): Command {
  return {
    options: JSON_OPTION,
    run: (words, values, io) => {
      noWords(words);
      return list(values.json === true, io);
    },
  };
}

const COMMANDS: Readonly<Record<string, Command>> = {
  run: {
    options: { ...RESULT_OPTIONS, events: { type: 'string' } },
    run: (words, values, io) =>
      runOne(
        words,
        { json: values.json === true, ...resultOptions(values), events: text(values.events) },
        io,
      ),
  },
  'run-many': {
    options: RESULT_OPTIONS,
    run: (words, values, io) => runMany(words, resultOptions(values), io),
  },
  sweep: {
    options: {
      ...JSON_OPTION,
      param: { type: 'string', multiple: true },
      seeds: { type: 'string' },
      jobs: { type: 'string' },
    },
    run: (words, values, io, script) =>
      sweep(
        words,
        {
          json: values.json === true,
          params: (values.param ?? []) as string[],
          seeds: text(values.seeds),
          jobs: text(values.jobs),
          script,
        },
        io,
      ),
  },
  scenarios: listing(listScenarios),
  profiles: listing(listProfiles),
  params: {
    options: { ...JSON_OPTION, kernel: { type: 'string' }, hz: { type: 'string' }, cpus: { type: 'string' } },
    run: (words, values, io) => {
      noWords(words);
      const { kernel, hz, cpus } = values;
      return listParams(
        { json: values.json === true, kernel: text(kernel), hz: text(hz), cpus: text(cpus) },
        io,
      );
    },
  },
  machine: listing(listMachine),
  import: {
    options: { ...JSON_OPTION, kernel: { type: 'string' }, hz: { type: 'string' } },
    run: (words, values, io) => {
      const { kernel, hz } = values;
      return importFile(words, { json: values.json === true, kernel: text(kernel), hz: text(hz) }, io);
    },
  },
};

/** A command to come. */
const LATER_COMMANDS = ['export'];

function readArgs(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, tokens: true });
  } catch (error) {
    throw fault((error as Error).message.split('\n')[0] ?? '');
  }
}

function parse(args: readonly string[], options: Options): { values: Values; positionals: string[] } {
  const { values, positionals, tokens } = readArgs(args, options);
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option' || token.value === undefined) continue;
    const { name } = token;
    if (given.has(name) && options[name]?.multiple !== true) throw fault(`--${name}: given twice`);
    given.add(name);
  }
  return { values, positionals };
}

/**
 * Runs one command. Bad input: a line per fault on stderr, nothing on stdout, status 2.
 * `script` is the module that worker threads load.
 */
export async function runCli(args: readonly string[], io: Io, script: URL): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (name === undefined || name === 'help' || args.includes('--help') || args.includes('-h')) {
      io.out(HELP);
      return EXIT.fine;
    }
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) {
      if (LATER_COMMANDS.includes(name)) throw fault(`${name}: this command is not there yet`);
      throw fault(`${name}: unknown command; there are ${Object.keys(COMMANDS).join(', ')} (--help)`);
    }
    const { values, positionals } = parse(rest, command.options);
    return await command.run(positionals, values, io, script);
  } catch (error) {
    if (!(error instanceof Fault)) {
      io.err(`rcuscope failed: ${(error as Error).stack}\n`);
      return EXIT.failed;
    }
    io.err(error.lines.map((line) => `${line}\n`).join(''));
    return EXIT.badInput;
  }
}
