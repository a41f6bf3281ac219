// A reader names pipes, devices and sockets, and never opens them.
import { rename, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { unusableFiles } from '../../src/read/files/inputs.ts';
import { findAllUpwards } from '../../src/read/files/projectFilesAbove.ts';
import { inFolder } from '../support/cli.ts';
import { device, mayMakeDevices, pipe } from '../support/specialFiles.ts';
import { read, said, write } from './sourceFolder.ts';

describe('a special file', () => {
  const SPECIAL = [
    ['a pipe', pipe, 'it is a pipe'],
    ...(mayMakeDevices ? ([['a device', device, 'it is a device']] as const) : []),
  ] as const;

  test.each(SPECIAL)('%s is an error, and is never opened', (_, make, why) =>
    inFolder(async folder => {
      await write(folder, { 'net/a.yaml': 'a' });
      make(join(folder, 'net/b.yaml'));
      make(join(folder, 'elsewhere'));
      await symlink('../elsewhere', join(folder, 'net/c.yaml'));
      expect(await said(folder, 'net')).toEqual({
        files: ['net/a.yaml: a'],
        faults: [`\`net/b.yaml\` cannot be read: ${why}`, `\`net/c.yaml\` cannot be read: ${why}`],
      });
      expect((await said(folder, 'net', ['b.yaml', 'c.yaml'])).faults).toEqual([]);
      expect((await read(folder, 'net/b.yaml')).diagnostics).toMatchObject([
        { message: `\`net/b.yaml\` cannot be read: ${why}` },
      ]);
      expect(unusableFiles(join(folder, 'net'))('b.yaml')).toBe(why);
      await rename(join(folder, 'elsewhere'), join(folder, 'net/meshform.yaml'));
      expect(findAllUpwards(join(folder, 'net'), 'meshform.yaml')[0]).toMatchObject({ why });
    }),
  );

  test('a socket is an error', () =>
    inFolder(async folder => {
      await write(folder, { 'a.yaml': 'a' });
      const server = createServer();
      onTestFinished(() => void server.close());
      await new Promise<void>(done => server.listen(join(folder, 'agent.sock'), done));
      expect((await said(folder)).faults).toEqual(['`agent.sock` cannot be read: it is a socket']);
    }));
});
