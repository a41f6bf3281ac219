// Loaded into a program before all else (`NODE_OPTIONS=--import=…`): at its end it notes what it did in the file that
// `OBSERVED` names.
import { appendFileSync } from 'node:fs';
import { watch } from './watchedProcess.ts';

const { OBSERVED: file = '' } = process.env;
const stop = watch();
process.on('exit', () => appendFileSync(file, `${JSON.stringify(stop())}\n`));
