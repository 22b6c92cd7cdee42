/** Class names that are set, joined: `cx('a', isOn && 'b')`. */
export function cx(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
