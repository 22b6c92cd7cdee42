import { describe, expect, it } from 'vitest';
import { chromiumArgs, findChromium } from './chromium.mjs';

/** A machine that has exactly these programs. */
function machine(programs: string[], env: Record<string, string> = {}) {
  return {
    env,
    home: '/home/u',
    isExecutable: (path: string) => programs.includes(path),
    list: (folder: string) => [
      ...new Set(
        programs
          .filter((path) => path.startsWith(`${folder}/`))
          .map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''),
      ),
    ],
  };
}
const cached = (revision: string) => `/home/u/.cache/ms-playwright/chromium-${revision}/chrome-linux/chrome`;

describe('findChromium', () => {
  it('finds nothing on a machine without a browser', () => {
    expect(findChromium(machine([]))).toBeUndefined();
  });

  it('takes the system browser before the Playwright cache', () => {
    expect(findChromium(machine([cached('1200'), '/usr/bin/chromium']))).toBe('/usr/bin/chromium');
    expect(findChromium(machine([cached('1200')]))).toBe(cached('1200'));
  });

  it('finds Chrome and a browser that lies elsewhere on the PATH', () => {
    expect(findChromium(machine(['/usr/bin/google-chrome']))).toBe('/usr/bin/google-chrome');
    expect(findChromium(machine(['/opt/b/chromium'], { PATH: '/opt/a:/opt/b' }))).toBe('/opt/b/chromium');
  });

  it('takes the newest cached revision, by number, and a full browser before a headless shell', () => {
    const shell = '/home/u/.cache/ms-playwright/chromium_headless_shell-1300/chrome-linux/headless_shell';
    expect(findChromium(machine([shell, cached('999'), cached('1200')]))).toBe(cached('1200'));
    expect(findChromium(machine([shell]))).toBe(shell);
  });

  it('obeys CHROMIUM_PATH, also when it is wrong', () => {
    const env = { CHROMIUM_PATH: '/opt/mine' };
    expect(findChromium(machine(['/usr/bin/chromium', '/opt/mine'], env))).toBe('/opt/mine');
    expect(findChromium(machine(['/usr/bin/chromium'], env))).toBeUndefined();
  });
});

describe('chromiumArgs', () => {
  it('gives up the sandbox for root only', () => {
    expect(chromiumArgs(true)).toContain('--no-sandbox');
    expect(chromiumArgs(false)).not.toContain('--no-sandbox');
  });
});
