// Runs `render`: loads files, and prints all their declarations as one file.
import { hasErrors } from '../../model/diagnostic.ts';
import { present } from '../../model/errors.ts';
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { desiredJson, desiredYaml } from '../../report/desired/desiredText.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import type { SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { loadRequest } from './desired.ts';

/** The flags of `render`. */
export interface RenderFlags extends SourceFlags {
  readonly format: 'yaml' | 'json';
  readonly origin?: boolean;
}

/** Prints the declarations of the files at `path`, and returns the exit code. Prints no declarations if the files have errors. */
export async function renderFiles(path: string, flags: RenderFlags, io: Io): Promise<number> {
  const request = { ...loadRequest(path, flags, io), isRendered: true };
  const state = await loadDesired(loadSchemas(), request);
  const { value, origins, masked } = present(state.rendered, 'what the files declare');
  const isValid = !hasErrors(state.diagnostics);
  printFindings([...state.diagnostics, ...(isValid ? masked : [])], io);
  stopOnErrors(state.diagnostics);
  const places = flags.origin ? origins : undefined;
  io.stdout.write(
    flags.format === 'json' ? desiredJson(value, places) : desiredYaml(value, places),
  );
  return EXIT.done;
}
