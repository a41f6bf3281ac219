// What is run on a pull request: by a reviewer, by whoever merges it, and afterwards on what the run has left.

import { HAZARD_CODES } from '../../../src/model/codes.ts';
import { DRIFT_FORMATS } from '../../../src/report/driftFormats.ts';
import { PLAN_FORMATS } from '../../../src/report/planFormats.ts';

/** A command line; `RUN` is the last apply. */
export type Words = readonly string[];

/** Commands of which each request gets one form in turn. Every form is run if there are enough requests. */
type Family = readonly Words[];

const FORMATS_OF_PLAN = Object.keys(PLAN_FORMATS);
const ACCESS_FORMATS = ['text', 'json', 'markdown', 'csv', 'graphml'];
const APPLY_FORMATS = ['text', 'json', 'jsonl', 'comment'];

/** All hazards are accepted: an apply is to write. */
const ACCEPTED = Object.keys(HAZARD_CODES).flatMap(code => ['--allow', code]);
const KEPT = ['--secrets-to', 'file:../kept.jsonl'];

const forms = (words: Words, formats: readonly string[]): Words[] =>
  formats.map(format => [...words, '--format', format]);

/** The commands that compare or show the files of a request; `path` is their folder. */
const families = (path: string): readonly Family[] => [
  [
    ...forms(['validate', path], ['text', 'json', 'sarif']),
    ...forms(['validate', path, '--strict', '--lint'], ['text', 'json', 'sarif']),
  ],
  forms(['test', path, '--coverage'], ['text', 'json', 'junit']),
  [
    ...forms(['render', path], ['yaml', 'json']),
    ...forms(['render', path, '--origin'], ['yaml', 'json']),
    ...forms(['tighten', path, '--details'], ['text', 'json', 'comment']),
  ],
  [
    ...forms(['access', 'from', 'group/engineers', path], ACCESS_FORMATS),
    ['access', 'to', 'all', '--why', path],
    ['access', path, '--html', 'access.html', '--force'],
    ...forms(['graph', path], ['mermaid', 'dot', 'svg']),
    ['graph', path, '--by', 'folder', '--out', 'drawing.svg', '--format', 'svg', '--force'],
  ],
  forms(['plan', path, '--base', 'HEAD', '--full'], FORMATS_OF_PLAN),
  forms(
    [
      'plan',
      path,
      '--base',
      'auto',
      '--first',
      '--record-base',
      '--out',
      'plan.json',
      '--html',
      'plan.html',
      '--force',
      '--verbose',
    ],
    ['json', ...FORMATS_OF_PLAN],
  ),
  forms(['show', 'plan.json'], ['comment', 'json', ...FORMATS_OF_PLAN]),
  forms(['plan', 'check', 'plan.json'], ['text', 'json']),
  forms(['drift', path], Object.keys(DRIFT_FORMATS)),
  [
    ['export', '--check', path],
    ['export', '--out', 'exported', '--force'],
  ],
  [['export', '--state', 'account.json', '--force']],
  [
    ['access', 'to', 'all', '--why', '--live'],
    ['access', 'from', 'all', '--state', 'account.json', '--format', 'graphml'],
    ['access', '--state', 'account.json', '--format', 'ndjson'],
    ['graph', '--live', '--format', 'svg'],
    ['graph', '--state', 'account.json', '--format', 'dot'],
  ],
  [
    ...forms(['fleet', 'list'], ['text', 'json']),
    ...forms(['fleet', 'validate'], ['text', 'json']),
    ...forms(['fleet', 'test'], ['text', 'json']),
    ...forms(['fleet', 'drift'], ['text', 'json', 'junit']),
    ...forms(['fleet', 'plan', '--out', 'plans', '--force'], ['text', 'json', 'comment', 'html']),
    ...forms(['fleet', 'status'], ['text', 'json', 'junit']),
    ['fleet', 'status', '--html', 'status.html', '--force'],
    ...forms(['fleet', 'compare', 'one', 'one'], ['text', 'json']),
  ],
  [
    ['studio', path],
    ['studio', path, '--live'],
  ],
];

/** The commands that change the account, and those that show what such a run has left. */
const changing = (path: string): readonly Family[] => [
  [
    ...forms(['apply', path, '--yes', ...KEPT, ...ACCEPTED], APPLY_FORMATS),
    ...forms(['expire', path, '--yes', ...ACCEPTED], APPLY_FORMATS),
  ],
  [
    ...forms(['runs', 'list', path], ['table', 'json']),
    ['runs', 'show', 'RUN', path, '--full'],
    ['runs', 'show', 'RUN', path],
  ],
  [
    ...forms(['base', 'show', path], ['text', 'json']),
    ...forms(['lock', 'show', path], ['text', 'json']),
    [
      'grant',
      'from',
      'group/engineers',
      'to',
      'group/servers:tcp/22',
      path,
      '--for',
      '1h',
      '--reason',
      'a test',
    ],
  ],
];

/** What is run on one request, by its `number`. */
export function commandsFor(path: string, number: number): readonly Words[] {
  return [...families(path), ...changing(path)].flatMap(family => {
    const words = family[number % family.length];
    return words ? [words] : [];
  });
}

/** Whether it sends what the files declare to the account: it runs at a server that refuses it. */
export const isWriting = ([verb]: Words): boolean => verb === 'apply' || verb === 'expire';
