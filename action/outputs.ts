// Outputs and summaries of a step. A value may hold anything: each stands between delimiters that nobody can guess.
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';

/** Outputs as a forge reads them from the file of a step. */
export function outputLines(
  outputs: Readonly<Record<string, string>>,
  delimiter: () => string = () => `meshform-${randomUUID()}`,
): string {
  return Object.entries(outputs)
    .map(([name, value]) => {
      const end = delimiter();
      return `${name}<<${end}\n${value}\n${end}\n`;
    })
    .join('');
}

/** Appends to a file that the forge names in the environment, where it does. */
export async function appendTo(file: string | undefined, text: string): Promise<void> {
  if (file !== undefined && file !== '') await appendFile(file, text);
}
