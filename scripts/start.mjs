import { createServer } from 'node:net';
import { root } from './cliBuild.mjs';
import { ensureInstalled } from './install.mjs';

/** `npm start`: installs what is missing, builds the page and serves it on this machine only. */
const host = '127.0.0.1';
const port = Number(process.env.PORT ?? 4173);

/** Asked before the build, so that a busy port is reported at once. */
function isPortFree() {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

async function start() {
  if (!(await isPortFree())) {
    throw new Error(
      `port ${port} is in use; stop what listens there, or choose another: PORT=4180 npm start`,
    );
  }
  await ensureInstalled(root, console.log);
  const { build, preview } = await import('vite');
  await build({ root, logLevel: 'warn' });
  const server = await preview({ root, logLevel: 'warn', preview: { host, port, strictPort: true } });
  console.log(`rcuscope: http://${host}:${port}`);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      server.httpServer.close();
      process.exit(0);
    });
  }
}

try {
  await start();
} catch (error) {
  console.error(`rcuscope: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
