// Bad command lines and what comes with them: flags, variables, bases, outputs, tokens, certificates, proxies.
import { BASES } from './command-lines/bases.ts';
import { CONNECTED } from './command-lines/connected.ts';
import { ENDS } from './command-lines/endings.ts';
import { rows } from './command-lines/line.ts';
import { GUARDS, OUTPUTS } from './command-lines/outputs.ts';
import { PARSED } from './command-lines/parsed.ts';
import type { Row } from './row.ts';

export const COMMAND_LINES: readonly Row[] = [
  ...rows(PARSED),
  ...rows(CONNECTED),
  ...rows(BASES),
  ...rows(OUTPUTS),
  ...rows(GUARDS),
  ...rows(ENDS),
];
