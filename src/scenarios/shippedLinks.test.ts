import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeLink } from '../config/link/decodeLink.ts';
import { parseConfig } from '../config/parseConfig.ts';
import { LINK_SCENARIO, scenarioSource } from './registry.ts';

/** A link, a tab, and what it has always meant. Lines are added, never changed. */
const path = 'test-data/links.txt';
const lines = readFileSync(path, 'utf8').trim().split('\n');

describe('links that were shipped decode for ever', () => {
  it.each(lines.map((line) => line.split('\t')))('%s', (link = '', expected = '') => {
    const { input, view, notices } = decodeLink(link, scenarioSource, LINK_SCENARIO);
    const ignored = notices.map((notice) => notice.path);
    expect({ input, view, ignored }).toEqual(JSON.parse(expected));
    expect(parseConfig(input, scenarioSource).ok).toBe(true);
  });
});
