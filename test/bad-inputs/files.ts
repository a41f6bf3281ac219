// Bad desired state: YAML that is none, fields that do not fit, values from outside, and what lies in a folder.
import { ENDS, GRANTS } from './files/endings.ts';
import { FOLDER, folderRow, PROJECT } from './files/folder.ts';
import { OUTSIDE, SECRETS } from './files/outside.ts';
import { GROUPS, inFile } from './files/said.ts';
import { AGAINST, VALUES } from './files/values.ts';
import { YAML } from './files/yaml.ts';
import type { Row } from './row.ts';

export const FILES: readonly Row[] = [
  ...YAML.map(inFile()),
  ...VALUES.map(inFile()),
  ...ENDS.map(inFile()),
  ...GRANTS,
  ...OUTSIDE.map(inFile()),
  ...SECRETS.map(inFile({ argv: ['apply', 'net', '--yes'] })),
  ...AGAINST.map(inFile({ argv: ['plan', 'net'] })),
  ...FOLDER.map(folderRow),
  ...PROJECT.map(
    ([title, text, says, help]): Row => ({
      title,
      files: { 'net/meshform.yaml': text, 'net/a.yaml': GROUPS },
      argv: ['validate', 'net'],
      code: 3,
      says,
      help,
    }),
  ),
];
