// What a neighbour on the machine has prepared in the place of an output gets nothing, and the account is not changed for it.
import {
  chmodSync,
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { give, giveLink, mayGiveAway } from '../../support/neighbour.ts';
import { pipe } from '../../support/specialFiles.ts';
import { someOf } from '../../support/variations.ts';

const FILES = 'setup_keys: [{ name: ci, type: reusable, expires_in: 86400 }]\n';

const applyTo = (destination: string) => ['apply', 'n.yaml', '--yes', '--secrets-to', destination];
const SECRETS: readonly (readonly [string, (place: string) => readonly string[]])[] = [
  ['secrets', place => applyTo(`file:${place}`)],
  ['variables', place => applyTo(`gitlab:${place}`)],
];
const OUTPUTS: typeof SECRETS = [
  ['a plan', place => ['plan', 'n.yaml', '--out', place, '--force']],
  ['a page', place => ['plan', 'n.yaml', '--html', place, '--force']],
  ['a drawing', place => ['graph', 'n.yaml', '--out', place, '--force']],
  ['an export', place => ['export', '--out', place, '--force']],
  ['metrics', place => ['drift', 'n.yaml', '--metrics', place]],
];

/** Outputs of an emulator, which runs until it is interrupted if they are not refused. */
const OF_EMULATOR: typeof SECRETS = [
  ['a database of an emulator', place => ['emulator', '--db', place]],
  ['a log of requests', place => ['emulator', '--request-log', place]],
];

const FOLDERS: typeof SECRETS = [
  ['exported files', place => ['export', '--out', place.replace('.yaml', '')]],
  ['a store of traffic', place => ['observe', '--store', place]],
  [
    'a journal',
    place => ['apply', 'n.yaml', '--yes', '--allow', 'REVEALS_SECRET', '--journal', place],
  ],
];

/** Runs a command with the place `out.yaml`, which somebody has prepared in a folder that users share. */
const written = (command: readonly string[], prepare: (place: string) => void) =>
  inFolder(async shared => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    const place = join(shared, 'out.yaml');
    chmodSync(shared, 0o1777);
    prepare(place);
    return inFolder(async cwd => {
      writeFileSync(join(cwd, 'n.yaml'), FILES);
      const argv = command.map(word => word.replace('PLACE', place));
      const ended = await meshform(argv, { cwd, env: environmentOf(account) });
      const writes = account.requests.filter(({ method }) => method !== 'GET').length;
      const files = readdirSync(shared, { recursive: true, encoding: 'utf8' });
      return {
        ...ended,
        said: ended.stderr.replaceAll(/\s+/g, ' '),
        writes,
        files: files.filter(file => /\.mine\/deep\//.test(file)),
      };
    });
  });

/** Makes a pipe that somebody reads from; returns what they have read. */
function readPipe(place: string): () => string {
  pipe(place);
  chmodSync(place, 0o666);
  const reader = openSync(place, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(reader));
  return () => {
    const bytes = Buffer.alloc(65_536);
    try {
      return bytes.toString('utf8', 0, readSync(reader, bytes));
    } catch {
      return '';
    }
  };
}

describe.runIf(mayGiveAway)('an output at a path of another user is refused:', () => {
  test.each([...SECRETS, ...OUTPUTS])('a pipe gets no text: %s', async (_, commandFor) => {
    let read = () => '';
    const ended = await written(commandFor('PLACE'), place => {
      read = readPipe(place);
      give(place);
    });
    expect([read(), ended.writes]).toEqual(['', 0]);
    expect(ended.code, ended.stderr).toBe(69);
    expect(ended.stderr).toContain('it belongs to another user (uid 65534)');
  });

  test.each([...SECRETS, ...OUTPUTS, ...OF_EMULATOR])(
    'a file gets no text: %s',
    async (_, commandFor) => {
      const ended = await written(commandFor('PLACE'), place => {
        writeFileSync(place, '');
        chmodSync(place, 0o666);
        give(place);
      });
      expect(ended.writes).toBe(0);
      expect(ended.code, ended.stderr).toBe(69);
      expect(ended.stderr).toContain('it belongs to another user (uid 65534)');
    },
  );

  test.each([...OUTPUTS, ...OF_EMULATOR])('a link is not followed: %s', async (_, commandFor) => {
    const ended = await written(commandFor('PLACE'), place => {
      writeFileSync(`${place}.mine`, '');
      symlinkSync(`${place}.mine`, place);
      giveLink(place);
    });
    expect(ended.code, ended.stderr).toBe(69);
    expect(ended.stderr).toContain('uid 65534');
  });

  // `written-places.test.ts` has each flag, with a folder in place of the link.
  test.each(someOf([...SECRETS, ...OUTPUTS, ...OF_EMULATOR, ...FOLDERS], 4))(
    'a link in place of a parent folder is not followed: %s',
    async (_, commandFor) => {
      const ended = await written(commandFor('PLACE.d/deep/out.yaml'), place => {
        mkdirSync(`${place}.mine/deep`, { recursive: true });
        symlinkSync(`${place}.mine`, `${place}.d`);
        giveLink(`${place}.d`);
      });
      expect(ended.said).toMatch(/out\.yaml\.d` is a link of another user \(uid 65534\)/);
      expect([69, 64], ended.stderr).toContain(ended.code);
      expect([ended.writes, ended.files], ended.stderr).toEqual([0, []]);
    },
  );

  test('an open descriptor gets no secrets', () =>
    inFolder(async folder => {
      const file = join(folder, 'theirs');
      writeFileSync(file, '');
      give(file);
      const descriptor = openSync(file, 'a');
      onTestFinished(() => closeSync(descriptor));
      const ended = await written(applyTo(`file:/dev/fd/${descriptor}`), () => {});
      expect([ended.code, ended.writes], ended.stderr).toEqual([69, 0]);
      expect(readFileSync(file, 'utf8')).toBe('');
    }));
});

test.each(SECRETS)('a pipe that others can read gets no %s', async (_, commandFor) => {
  let read = () => '';
  const ended = await written(commandFor('PLACE'), place => {
    read = readPipe(place);
  });
  expect([read(), ended.writes]).toEqual(['', 0]);
  expect(ended.code, ended.stderr).toBe(64);
  expect(ended.said).toContain('others can open it (mode 0666)');
});

test.each(SECRETS)('a file with a second hard link gets no %s', async (_, commandFor) => {
  const ended = await written(commandFor('PLACE'), place => {
    writeFileSync(place, '');
    linkSync(place, `${place}.too`);
  });
  expect([ended.code, ended.writes], ended.stderr).toEqual([69, 0]);
  expect(ended.stderr).toContain('it has another hard link');
});

// A page is larger than a pipe.
test.each([...SECRETS, ...OUTPUTS.filter(([what]) => what !== 'a page')])(
  'a pipe of the user’s own gets %s',
  async (_, commandFor) => {
    let read = () => '';
    const ended = await written(commandFor('PLACE'), place => {
      read = readPipe(place);
      chmodSync(place, 0o600);
    });
    expect([0, 2], ended.stderr).toContain(ended.code);
    expect(read()).not.toBe('');
  },
);

test.each([...SECRETS, ...OUTPUTS, ...FOLDERS])(
  'a user’s own link in place of a folder is followed: %s',
  async (_, commandFor) => {
    const ended = await written(commandFor('PLACE.d/deep/out.yaml'), place => {
      mkdirSync(`${place}.mine/deep`, { recursive: true });
      symlinkSync(`${place}.mine`, `${place}.d`);
    });
    expect([0, 2], ended.stderr).toContain(ended.code);
    expect(ended.files).not.toEqual([]);
  },
);

test('/dev/null is accepted as the place of a plan', async () => {
  const ended = await written(['plan', 'n.yaml', '--out', '/dev/null'], () => {});
  expect(ended.code, ended.stderr).toBe(0);
});

test('/dev/stdout is accepted as the place of secrets', async () => {
  const ended = await written(applyTo('file:/dev/stdout'), () => {});
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stdout).toContain('"field":"key"');
});
