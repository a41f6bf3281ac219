// Serves the files that pages link to, such as schemas and examples.
import type { APIRoute, GetStaticPaths } from 'astro';
import { linkedFiles, textOf } from '../../repository.ts';

export const getStaticPaths: GetStaticPaths = () =>
  linkedFiles().map(path => ({ params: { path } }));

export const GET: APIRoute = ({ params }) =>
  new Response(textOf(params.path ?? ''), {
    headers: { 'content-type': typeOf(params.path ?? '') },
  });

const typeOf = (path: string): string =>
  path.endsWith('.svg') ? 'image/svg+xml' : 'text/plain; charset=utf-8';
