// The pages of the repository as the collection that Starlight shows. They carry no front matter: the title is the first heading.

import { defineCollection } from 'astro:content';
import { docsSchema } from '@astrojs/starlight/schema';
import type { Loader } from 'astro/loaders';
import { fileOf, sitePages } from './repository.ts';

/** It has every word of the other pages, and was the first answer to each search. */
const UNSEARCHED = 'CHANGELOG.md';

const repositoryPages: Loader = {
  name: 'repository-pages',
  load: async ({ store, parseData, renderMarkdown, generateDigest, watcher }) => {
    const fill = async () => {
      store.clear();
      for (const { path, slug, title, description, body } of sitePages()) {
        const id = slug === '' ? 'index' : slug;
        const filePath = `../${path}`;
        const pagefind = path !== UNSEARCHED;
        const data = await parseData({ id, data: { title, description, pagefind }, filePath });
        const rendered = await renderMarkdown(body, { fileURL: new URL(`file://${fileOf(path)}`) });
        store.set({ id, data, body, filePath, rendered, digest: generateDigest(body) });
      }
    };
    await fill();
    watcher?.add(sitePages().map(({ path }) => fileOf(path)));
    watcher?.on('change', fill);
  },
};

export const collections = {
  docs: defineCollection({ loader: repositoryPages, schema: docsSchema() }),
};
