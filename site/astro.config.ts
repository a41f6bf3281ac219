// The site: the pages of the repository, with search, in light and dark. SITE_BASE is the folder of the server that it lies in.
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import { slugOf } from './src/pages.ts';
import { sections } from './src/repository.ts';
import { searchIndexCheck } from './src/searchIndex.ts';

// biome-ignore lint/style/noDefaultExport: astro takes no other.
export default defineConfig({
  base: process.env.SITE_BASE ?? '/',
  trailingSlash: 'always',
  integrations: [
    starlight({
      title: 'meshform',
      description: 'Desired state in YAML, in Git, for a private overlay network.',
      customCss: ['./src/site.css'],
      // A window around every command is noise.
      expressiveCode: { defaultProps: { frame: 'none' } },
      sidebar: sections.map(({ label, pages }) => ({
        label,
        items: pages.map(page => slugOf(page) || { slug: 'index', label: 'Overview' }),
      })),
    }),
    searchIndexCheck,
  ],
});
