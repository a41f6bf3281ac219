// On a busy machine, the program that writes the search index may end before its files are written: the search of such a site finds
// nothing, and says nothing about it.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';

/** Ends the build with an error if a file of the search index is empty. It must come after the integration that writes the index. */
export const searchIndexCheck: AstroIntegration = {
  name: 'search-index-check',
  hooks: {
    'astro:build:done': ({ dir }) => {
      const folder = fileURLToPath(new URL('./pagefind/', dir));
      const empty = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
        name => statSync(join(folder, name)).size === 0,
      );
      if (empty.length > 0)
        throw new Error(
          `the search index has empty files (${empty.join(', ')}): build the site again`,
        );
    },
  },
};
