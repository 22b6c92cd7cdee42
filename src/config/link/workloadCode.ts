/** A workload of one's own in a link: `1.` + base64url(deflate-raw(JSON of the actors)). */
import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';

/** Longest JSON of a workload, bytes. */
export const MAX_INFLATED_BYTES = 64 * 1024;
const FORMAT = '1.';

/** The text for `w=`. */
export function encodeWorkload(actors: readonly unknown[]): string {
  const bytes = deflateSync(strToU8(JSON.stringify(actors)), { level: 9 });
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return FORMAT + base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The JSON value in `w=`, or the reason why there is none. Never throws. */
export function decodeWorkload(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string } {
  if (!text.startsWith(FORMAT)) return { ok: false, why: 'a workload that starts with "1."' };
  const body = text.slice(FORMAT.length);
  if (!/^[A-Za-z0-9_-]+$/.test(body)) return { ok: false, why: 'after "1." base64url only' };
  let json: string;
  try {
    const binary = atob(body.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = inflateSync(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
    if (bytes.length > MAX_INFLATED_BYTES) {
      return {
        ok: false,
        why: `at most ${MAX_INFLATED_BYTES} bytes after inflating (it has ${bytes.length})`,
      };
    }
    json = strFromU8(bytes);
  } catch {
    return { ok: false, why: 'damaged: it cannot be inflated' };
  }
  try {
    return { ok: true, value: JSON.parse(json) };
  } catch {
    return { ok: false, why: 'damaged: not JSON after inflating' };
  }
}
