/** The hash of a link as keys and texts, and back. */
import { createProblem, type Problem, showValue } from '../problem.ts';
import type { LinkEntries } from './linkVersion.ts';

/** Longest hash, characters; the sign # not counted. */
export const MAX_HASH_CHARS = 8 * 1024;

/** What stays readable: these have no meaning of their own inside a fragment. */
const READABLE = /%(3A|2F|2C|2B|3B|40|24|21|27|28|29|2A)/g;

function escapeText(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(READABLE, decodeURIComponent);
}

function unescapeText(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Keys and texts of "#k=v&...", of the part after # of a whole URL, or of "k=v&..." itself. */
export function splitHash(link: string): { readonly entries: LinkEntries; readonly notices: Problem[] } {
  const hash = link.slice(link.indexOf('#') + 1);
  if (hash.length > MAX_HASH_CHARS) {
    const why = `the link is too long: ${hash.length} characters, at most ${MAX_HASH_CHARS}; nothing of it applies`;
    return { entries: [], notices: [createProblem('link', `${hash.slice(0, 20)}...`, why)] };
  }
  const entries = new Map<string, string>();
  const notices: Problem[] = [];
  for (const part of hash.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const key = unescapeText(equals < 0 ? part : part.slice(0, equals));
    const text = unescapeText(part.slice(equals + 1));
    if (equals < 0) notices.push(createProblem('link', part, 'ignored: key=value'));
    else if (key === undefined || text === undefined) {
      notices.push(createProblem('link', part, 'ignored: it has a damaged %-escape'));
    } else {
      const earlier = entries.get(key);
      if (earlier !== undefined) {
        notices.push(createProblem(key, earlier, `given twice; the last one counts, ${showValue(text)}`));
      }
      entries.set(key, text);
    }
  }
  return { entries: [...entries], notices };
}

/** "k=v&k=v". */
export function joinHash(entries: LinkEntries): string {
  return entries.map(([key, text]) => `${escapeText(key)}=${escapeText(text)}`).join('&');
}
