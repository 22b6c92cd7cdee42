import { describe, expect, it } from 'vitest';
import { isInstalled } from './install.mjs';

describe('isInstalled', () => {
  const wanted = {
    packages: {
      '': { version: '0.1.0' },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b-win32': { version: '1.0.0', optional: true },
    },
  };

  it('compares the versions of what is there with the lock file', () => {
    expect(isInstalled(wanted, { packages: { 'node_modules/a': { version: '1.0.0' } } })).toBe(true);
    expect(isInstalled(wanted, { packages: { 'node_modules/a': { version: '1.0.1' } } })).toBe(false);
    expect(isInstalled(wanted, { packages: {} })).toBe(false);
    expect(isInstalled(wanted, undefined)).toBe(false);
  });
});
