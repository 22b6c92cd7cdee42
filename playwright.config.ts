import { defineConfig } from '@playwright/test';
import { chromiumArgs, findChromium } from './scripts/chromium.mjs';

// One port per run, so that two working copies can test at once; the workers inherit the choice.
process.env.E2E_PORT ??= String(4200 + (process.pid % 1000));
const origin = `http://127.0.0.1:${process.env.E2E_PORT}`;
const executablePath = findChromium();

/** Tests of the built page (`npm run e2e` builds first). */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  reporter: 'list',
  use: {
    baseURL: `${origin}/`,
    viewport: { width: 1600, height: 1000 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    launchOptions: { args: chromiumArgs(), ...(executablePath === undefined ? {} : { executablePath }) },
    // The page without its cache, but for the test of it.
    serviceWorkers: 'block',
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  webServer: {
    command: `node node_modules/vite/bin/vite.js preview --host 127.0.0.1 --strictPort --port ${process.env.E2E_PORT}`,
    url: origin,
    timeout: 30_000,
  },
});
