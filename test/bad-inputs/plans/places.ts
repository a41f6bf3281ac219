// Saved plans for other places: another server, another account, or no file that can be read.
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipe } from '../../support/specialFiles.ts';
import type { Place, Row } from '../row.ts';

const APPLY = ['apply', 'plan.json', '--yes'];

const elsewhere = (more: Partial<Row> & Pick<Row, 'title' | 'says' | 'help'>): Row => ({
  argv: APPLY,
  code: 3,
  ...more,
});

export const PLACES: readonly Row[] = [
  elsewhere({ title: 'that is not there', says: 'does not exist', help: 'plan --out' }),
  elsewhere({
    title: 'that is not there, and shown',
    argv: ['show', 'plan.json'],
    says: 'does not exist',
    help: 'plan --out',
  }),
  elsewhere({
    title: 'that is a folder',
    make: ({ cwd }: Place) => void mkdirSync(join(cwd, 'plan.json')),
    argv: ['show', 'plan.json'],
    says: 'not a saved plan',
    help: 'plan --out',
  }),
  elsewhere({
    title: 'that is a link in a circle',
    links: { 'plan.json': 'plan.json' },
    says: 'form a loop',
    help: 'plan --out',
  }),
  elsewhere({
    title: 'that is a link to a secret',
    make: ({ cwd }: Place) => symlinkSync('../outside/token', join(cwd, 'plan.json')),
    says: 'not JSON',
    help: 'plan --out',
  }),
  elsewhere({
    title: 'that is desired state, and shown',
    files: { 'a.yaml': 'groups: []\n' },
    argv: ['show', 'a.yaml'],
    says: 'not a saved plan',
    help: 'plan --out',
  }),
  elsewhere({
    title: 'that is piped in and cut off',
    argv: ['apply', '-', '--yes'],
    stdin: ({ good }) => good.plan.slice(0, 900),
    says: 'incomplete',
    help: 'plan --out',
  }),
  elsewhere({
    title: 'that is piped in, and nobody said yes',
    argv: ['apply', '-'],
    stdin: ({ good }) => good.plan,
    code: 64,
    says: 'standard input',
    help: '--yes',
  }),
  elsewhere({
    title: 'of which nothing is piped in',
    argv: ['apply', '-', '--yes'],
    stdin: '',
    says: 'not JSON',
    help: 'plan --out',
  }),
  elsewhere({
    title: 'that is longer than a text can be',
    make: ({ cwd }) => {
      writeFileSync(join(cwd, 'plan.json'), '');
      truncateSync(join(cwd, 'plan.json'), 600 * 2 ** 20);
    },
    says: 'larger',
    help: 'plan --out',
  }),
  elsewhere({
    title: 'that is a pipe nobody writes to, read for desired state',
    make: ({ cwd }) => pipe(join(cwd, 'plan.yaml')),
    argv: ['validate', 'plan.yaml'],
    says: 'pipe',
    help: '',
  }),
];
