import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * What the finder needs to know of the machine; handed in so that a test can describe one.
 * @typedef {object} Machine
 * @property {Record<string, string | undefined>} env
 * @property {string} home
 * @property {(path: string) => boolean} isExecutable
 * @property {(folder: string) => string[]} list names in a folder, empty when there is none
 */

const commandNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const fixedPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/** Where a browser lies inside one folder of Playwright's cache, by platform. */
const cachedBinaries = [
  'chrome-linux/chrome',
  'chrome-linux64/chrome',
  'chrome-linux/headless_shell',
  'chrome-headless-shell-linux64/chrome-headless-shell',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
];

/** @type {Machine} */
const thisMachine = {
  env: process.env,
  home: homedir(),
  isExecutable(path) {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  },
  list(folder) {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
};

/**
 * The newest browsers first: `chromium-1200` before `chromium-1187`, full browsers before headless shells.
 * @param {string[]} names
 */
function cachedFolders(names) {
  /** @param {string} name */
  const revision = (name) => Number(name.split('-').at(-1));
  /** @param {string} name */
  const isShell = (name) => Number(name.includes('shell'));
  return names
    .filter((name) => /^chromium(_headless_shell)?-\d+$/.test(name))
    .sort((a, b) => isShell(a) - isShell(b) || revision(b) - revision(a));
}

/**
 * Every path worth trying, best first. `$CHROMIUM_PATH` decides alone when it is set.
 * @param {Machine} machine
 */
function candidates({ env, home, list }) {
  if (env.CHROMIUM_PATH) return [env.CHROMIUM_PATH];
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => commandNames.map((name) => join(folder, name)));
  const caches = [
    env.PLAYWRIGHT_BROWSERS_PATH,
    join(home, '.cache/ms-playwright'),
    join(home, 'Library/Caches/ms-playwright'),
  ].filter((folder) => folder !== undefined && folder !== '0' && folder !== '');
  const cached = caches.flatMap((cache) =>
    cachedFolders(list(/** @type {string} */ (cache))).flatMap((folder) =>
      cachedBinaries.map((binary) => join(/** @type {string} */ (cache), folder, binary)),
    ),
  );
  return [...fixedPaths, ...onPath, ...cached];
}

/**
 * The browser for the page tests, or undefined. Never downloads one.
 * @param {Machine} [machine]
 * @returns {string | undefined}
 */
export function findChromium(machine = thisMachine) {
  return candidates(machine).find((path) => machine.isExecutable(path));
}

/**
 * As `findChromium`, but on a Debian machine, and as root, installs the distribution's own package.
 * @param {(line: string) => void} log
 * @returns {string | undefined}
 */
export function ensureChromium(log) {
  const found = findChromium();
  if (found !== undefined || process.env.CHROMIUM_PATH || process.getuid?.() !== 0) return found;
  log('no Chromium found: installing the Debian package');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const patiently = ['-o', 'DPkg::Lock::Timeout=120'];
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const run = spawnSync('apt-get', [...patiently, ...args], { env, encoding: 'utf8' });
    const { status, stdout, stderr, error } = run;
    if (status !== 0) {
      log(`apt-get ${args.join(' ')} failed\n${error?.message ?? `${stdout}${stderr}`}`);
      return findChromium();
    }
  }
  return findChromium();
}

/**
 * Flags for a browser that is to talk to the page under test and to nobody else.
 * @param {boolean} isRoot
 */
export function chromiumArgs(isRoot = process.getuid?.() === 0) {
  return [
    ...(isRoot ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-client-side-phishing-detection',
    '--metrics-recording-only',
    '--no-pings',
    '--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication,CertificateTransparencyComponentUpdater,InterestFeedContentSuggestions',
  ];
}
