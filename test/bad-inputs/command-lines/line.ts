// How a bad command line is written down: with the folder that most of them are about.
import type { Row } from '../row.ts';

export const GROUPS = 'groups: [{ name: a }]\n';
export const NET = { 'net/a.yaml': GROUPS };

export type Line = readonly [
  title: string,
  argv: readonly string[],
  code: number,
  says: string,
  help: string,
  more?: Partial<Row>,
];

export const rows = (lines: readonly Line[]): Row[] =>
  lines.map(([title, argv, code, says, help, more]) => ({
    title,
    files: NET,
    argv,
    code,
    says,
    help,
    ...more,
  }));
