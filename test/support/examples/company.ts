// The files of the example company that declare objects and access tests: all but its project file.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const COMPANY = fileURLToPath(new URL('../../../examples/company', import.meta.url));

/** By name in the folder of the example, sorted, the text of each file. */
export function companyTexts(): Readonly<Record<string, string>> {
  const names = readdirSync(COMPANY, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.yaml') && name !== 'meshform.yaml')
    .sort();
  return Object.fromEntries(names.map(name => [name, readFileSync(join(COMPANY, name), 'utf8')]));
}
