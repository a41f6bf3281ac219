// The parts of dependencies that the bundle leaves out, because meshform does not use them.
import type { Plugin } from 'esbuild';

// The command-line parser can start other programs for subcommands. meshform has no such command.
const noPrograms: Plugin = {
  name: 'no programs',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'none', namespace: 'none' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: '', loader: 'js' }));
  },
};

// Only the connections of undici are used: its `fetch`, web sockets, caches and mocks are more than half of its code.
const CONNECTIONS = `
  const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');
  Object.assign(Dispatcher.prototype, require('undici/lib/api/index.js'));
  exports.Agent = require('undici/lib/dispatcher/agent.js');
  exports.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js');`;

const onlyConnections: Plugin = {
  name: 'only connections',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^undici$/ }, ({ path, resolveDir }) => ({
      path,
      namespace: 'connections',
      pluginData: resolveDir,
    }));
    onLoad({ filter: /.*/, namespace: 'connections' }, ({ pluginData }) => ({
      contents: CONNECTIONS,
      resolveDir: String(pluginData),
      loader: 'js',
    }));
  },
};

/** The packages that users install beside meshform if they need them. The single executable contains them. */
export const optional: readonly string[] = ['pg', 'pg-boss'];

/** Optional modules of packages that nobody installs: the packages work without them. */
export const absent: readonly string[] = ['pg-native', 'pg-cloudflare'];

/** Plugins that leave these parts out. They must precede the plugins that resolve modules of Node. */
export const dependencies: readonly Plugin[] = [noPrograms, onlyConnections];
