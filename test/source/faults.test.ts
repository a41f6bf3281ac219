// Every mistake in the files under `faults/` is found once, at its place, with what to do next.
// Beside each stands what is said of it. BLESS=1 writes that anew.
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { type Diagnostic, placeText } from '../../src/model/diagnostic.ts';
import { readFolder } from '../../src/read/files/folder.ts';
import { sourceReader } from '../../src/source/load.ts';
import { PROJECT_FILE, readProject } from '../../src/source/project/project.ts';
import type { Inputs } from '../../src/source/values/externalInputs.ts';
import { KINDS } from '../support/files.ts';

const FAULTS = fileURLToPath(new URL('faults/', import.meta.url));
const isBlessing = process.env.BLESS === '1';

const VARIABLES: Readonly<Record<string, string>> = {
  TEAM: 'engineers',
  HOME: '/home/somebody',
  MESHFORM_TOKEN: 'never to be read',
  METRIC: '100',
  SECRET: 'hunter2',
  EMPTY: '',
};
const FILES: Readonly<Record<string, string>> = { 'team.txt': 'platform\n' };
const inputs: Inputs = {
  env: name => VARIABLES[name],
  file: path => FILES[path],
  vars: new Map([
    ['TEAM', 'engineers'],
    ['METRIC', '100'],
  ]),
};

const projectSchema = shippedSchema('project.schema.json');
const reader = sourceReader(KINDS, shippedSchema('lifecycle.schema.json'));
const cases = readdirSync(FAULTS, { withFileTypes: true }).filter(
  entry => entry.isDirectory() || entry.name.endsWith('.yaml'),
);

async function findings(path: string): Promise<readonly Diagnostic[]> {
  const selection = { projectFile: PROJECT_FILE, exclude: [] };
  const { files, diagnostics } = await readFolder(path, selection, file => relative(FAULTS, file));
  const project = await readFile(`${path}/${PROJECT_FILE}`, 'utf8').catch(() => null);
  const inProject =
    project === null
      ? []
      : readProject({ file: PROJECT_FILE, text: project }, projectSchema, KINDS).diagnostics;
  return [...inProject, ...diagnostics, ...reader.read(files, inputs).diagnostics];
}

function line({ at, severity, code, message, hint }: Diagnostic): string {
  return `${at ? `${placeText(at)} ` : ''}${severity} ${code} ${message}${hint ? ` | ${hint}` : ''}\n`;
}

const expectedOf = (name: string): string => `${FAULTS}${name.replace(/\.yaml$/, '')}.txt`;

describe('every mistake is reported once, at its place', () => {
  test.each(cases.map(({ name }) => name))('%s', async name => {
    const said = (await findings(`${FAULTS}${name}`)).map(line).join('');
    if (isBlessing) await writeFile(expectedOf(name), said);
    else expect(said).toBe(await readFile(expectedOf(name), 'utf8'));
  });
});

test('no finding repeats a secret', () => {
  const said = cases.map(({ name }) => readFileSync(expectedOf(name), 'utf8')).join('');
  expect(said).not.toMatch(/hunter2|12345|T0KEN|never to be read/);
});
