/** A command line as words, split as the kernel's next_arg() does. */

/** A parameter: "name" or "name=value", quotes removed. */
export interface RawWord {
  readonly name: string;
  readonly value: string | undefined;
}

/** Something about the text around the parameters. */
export interface Remark {
  readonly text: string;
  readonly why: string;
}

/** next_arg(): up to a space outside double quotes; a quote around the whole word or the value is removed. */
function nextWord(text: string): { word: RawWord; rest: string } {
  const isQuoted = text.startsWith('"');
  const body = isQuoted ? text.slice(1) : text;
  let inQuote = isQuoted;
  let equals = -1;
  let end = 0;
  for (; end < body.length; end++) {
    const char = body[end] as string;
    if (/\s/.test(char) && !inQuote) break;
    if (equals < 0 && char === '=') equals = end;
    if (char === '"') inQuote = !inQuote;
  }
  const whole = body.slice(0, end);
  const word = isQuoted ? whole.replace(/"$/, '') : whole;
  if (equals <= 0) return { word: { name: word, value: undefined }, rest: body.slice(end) };
  const value = word.slice(equals + 1).replace(/^"([\s\S]*?)"?$/, '$1');
  return { word: { name: word.slice(0, equals), value }, rest: body.slice(end) };
}

/** NAME="..." or NAME='...' around everything, as in a shell or in a boot loader's file. */
const QUOTED = /^(?:export\s+)?([A-Za-z_]\w*)\+?=(["'])([\s\S]*)\2$/;
/** NAME= before the first parameter. */
const PREFIX = /^(?:export\s+)?([A-Za-z_]\w*)\+?=(?=["']?([A-Za-z_][\w.-]*)(?:=|\s|$))/;
const SHELL_NAME = /cmdline|bootargs|append|kernel_?args/i;

/** Takes away what belongs to a shell: only around something that is known to be a kernel parameter. */
function unwrap(text: string, isKnown: (name: string) => boolean): { body: string; remarks: Remark[] } {
  const quoted = QUOTED.exec(text);
  const prefix = PREFIX.exec(text);
  const [whole, name = ''] = quoted ?? prefix ?? [''];
  if (isKnown(name)) return { body: text, remarks: [] };
  const inner = quoted?.[3] ?? '';
  const first = quoted === null ? [prefix?.[2] ?? ''] : inner.split(/[\s=]+/);
  if (name === '' || !(SHELL_NAME.test(name) || first.some(isKnown))) return { body: text, remarks: [] };
  const remarks = [
    { text: `${name}=`, why: "text of a shell, not of the kernel's command line: taken away" },
  ];
  return { body: quoted === null ? text.slice(whole.length) : inner, remarks };
}

/** Words up to "--"; what follows goes to init, and a remark says so. `isKnown`: names of RCU parameters. */
export function splitCommandLine(
  text: string,
  isKnown: (name: string) => boolean,
): { words: RawWord[]; remarks: Remark[] } {
  const { body, remarks } = unwrap(text.trim(), isKnown);
  const words: RawWord[] = [];
  let rest = body.trimStart();
  while (rest !== '') {
    const { word, rest: after } = nextWord(rest);
    rest = after.trimStart();
    if (word.name === '--' && word.value === undefined) {
      if (rest !== '') remarks.push({ text: rest, why: 'after "--": goes to init, not to the kernel' });
      break;
    }
    if (word.name !== '') words.push(word);
  }
  return { words, remarks };
}
