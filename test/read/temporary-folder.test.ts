// Temporary folders are made only where no other user can replace them.
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../src/read/files/temporaryFolder.ts';
import { withEmptyHome } from '../../src/read/sopsHome.ts';

function chosen(mode: number): string {
  const around = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  const folder = join(around, 'tmp');
  mkdirSync(folder);
  chmodSync(folder, mode);
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

test.each([0o700, 0o755, 0o1777])(
  'a temporary folder is created in a folder with mode %o',
  async mode => {
    const folder = chosen(mode);
    const made = await temporaryFolder('meshform-it-');
    expect(readdirSync(folder)).toEqual([basename(made)]);
    expect(statSync(made).mode & 0o777).toBe(0o700);
  },
);

test('no temporary folder is created where others can write', async () => {
  const folder = chosen(0o777);
  await expect(temporaryFolder('meshform-it-')).rejects.toThrow(
    `others can write to \`${folder}\``,
  );
  await expect(withEmptyHome(async () => 'used')).rejects.toThrow('others can write');
  expect(readdirSync(folder)).toEqual([]);
});

test('no temporary folder is created in a folder that others can replace', async () => {
  const folder = chosen(0o700);
  chmodSync(join(folder, '..'), 0o777);
  await expect(temporaryFolder('meshform-it-')).rejects.toThrow('others can write to');
});

test('no temporary folder is created in a checkout, where a commit can put a link in its place', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
  const folder = chosen(0o700);
  const checkout = join(folder, '..');
  mkdirSync(join(checkout, '.git'));
  symlinkSync(elsewhere, join(checkout, 'out'));
  symlinkSync(folder, join(elsewhere, 'in'));
  for (const path of [folder, join(checkout, 'out'), join(elsewhere, 'in')]) {
    vi.stubEnv('TMPDIR', path);
    await expect(temporaryFolder('meshform-it-')).rejects.toThrow('is in the checkout');
    await expect(withEmptyHome(async () => 'used')).rejects.toThrow('is in the checkout');
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('a .git entry where everybody can create one makes no checkout', async () => {
  const folder = chosen(0o1777);
  mkdirSync(join(folder, '.git'));
  await expect(temporaryFolder('meshform-it-')).resolves.toContain('meshform-it-');
});

test.runIf(process.getuid?.() === 0)(
  'no temporary folder is created in a folder of another user, or behind a link of that user',
  async () => {
    const folder = chosen(0o700);
    const link = join(folder, '../link');
    symlinkSync(folder, link);
    vi.stubEnv('TMPDIR', link);
    await expect(temporaryFolder('meshform-it-')).resolves.toContain('meshform-it-');
    chownSync(folder, 65_534, 65_534);
    for (const path of [folder, link]) {
      vi.stubEnv('TMPDIR', path);
      await expect(temporaryFolder('meshform-it-')).rejects.toThrow('belongs to another user');
    }
  },
);
