// The program as it was built for this run of the tests: what a test starts as a process.
import { join } from 'node:path';
import { inject } from 'vitest';

/** The launcher, as in `bin/` of the package. */
export const LAUNCHER = join(inject('program'), 'bin/meshform.js');

/** The library as one file. */
export const LIBRARY = join(inject('program'), 'dist/meshform-library.js');
