// The recorded exchanges against the emulator: it answers what the public server answered, but for the lines of a table.
import { expect, it } from 'vitest';
import { type Emulated, emulated } from '../emulated.ts';
import { KNOWN } from './known.ts';
import { isHook, RECORDINGS, readRecording } from './line.ts';
import { lineOf, replay } from './player.ts';

/** How many lines of all files may be answered otherwise. */
const MOST = 6;

/** The clusters of the server on which `beyond-cluster` was recorded. */
async function connectClusters(api: Emulated): Promise<void> {
  const abilities = (has: boolean) => ({
    private: has,
    require_subdomain: has,
    supports_crowdsec: has,
    supports_custom_ports: has,
  });
  for (const cluster of [
    { address: 'shared.proxy.test', shared: true, ...abilities(true) },
    { address: 'own.proxy.test', ...abilities(false) },
    { address: 'mute.proxy.test', shared: true },
  ])
    await api.control('POST', '/emulator/clusters', cluster);
}

it.each(RECORDINGS)(
  '%s is answered as recorded: status, type and shape',
  async name => {
    const lines = readRecording(name);
    expect(lines.length).toBeGreaterThan(600);
    const api = await emulated({ dialect: 'netbird', edition: 'self-hosted', shuffle: false });
    if (name === 'beyond-cluster') await connectClusters(api);
    const found = await replay(lines, api);
    const others = found.filter(({ line }) => !(line in KNOWN[name]));
    expect(others).toEqual([]);
    // A line that agrees by now has no reason any more.
    const differing = new Set(found.map(({ line }) => line));
    expect(Object.keys(KNOWN[name]).filter(line => !differing.has(line))).toEqual([]);
  },
  120_000,
);

it('the table of differences is short, and refers to existing lines', () => {
  const tables = Object.values(KNOWN).flatMap(table => Object.keys(table));
  expect(tables.length).toBeLessThanOrEqual(MOST);
  const lines = RECORDINGS.flatMap(readRecording);
  const names = new Set(lines.flatMap(line => (isHook(line) ? [] : [lineOf(line)])));
  expect(tables.filter(line => !names.has(line))).toEqual([]);
});
