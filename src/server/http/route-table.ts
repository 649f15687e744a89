import type { Method, Route } from './route.js';
import { pages } from './ui-files.js';

/** A route and its paths. */
export interface MountedRoute {
  readonly route: Route;
  /** Matches whole paths, still percent-encoded; the groups are the parameters. */
  readonly pattern: RegExp;
}

/** All routes of a server. */
export interface RouteTable {
  /** Literal paths precede paths with parameters, in any order of definition. */
  readonly mounted: readonly MountedRoute[];
  /** True for a path of the API, existing or not. */
  isApi(path: string): boolean;
  /** The methods of a path, sorted; empty for an unknown path. */
  methodsOf(path: string): readonly string[];
}

/** Prepares routes for matching. */
export function routeTable(routes: readonly Route[]): RouteTable {
  const mounted = routes
    .map((route) => ({ route, pattern: pathPattern(route.path, routes) }))
    .sort((a, b) => parameterCount(a.route) - parameterCount(b.route));
  const at = (path: string) => mounted.filter(({ pattern }) => pattern.test(path));
  return {
    mounted,
    isApi: (path) => /^\/api(?:\/|$)/.test(path) || at(path).length > 0,
    methodsOf: (path) => {
      const methods = new Set<Method | 'HEAD'>(at(path).map(({ route }) => route.method));
      if (pages.some((page) => page.test(path))) methods.add('GET');
      if (methods.has('GET')) methods.add('HEAD');
      return [...methods].sort();
    },
  };
}

/**
 * The regular expression for an OpenAPI path; a parameter is one whole segment. A segment that is literal in
 * another route does not match a parameter, whatever the method.
 */
function pathPattern(path: string, routes: readonly Route[]): RegExp {
  const written = routes
    .filter((route) => parameterCount(route) < path.split('{').length)
    .map((route) => `(?!${pathSource(route.path, () => '[^/]+')}$)`);
  const source = pathSource(path, (name) => `(?<${name}>[^/]+)`);
  return new RegExp(`^${[...new Set(written)].join('')}${source}$`);
}

function pathSource(path: string, parameter: (name: string) => string): string {
  return path
    .split(/\{(\w+)\}/)
    .map((part, at) =>
      at % 2 === 1 ? parameter(part) : part.replaceAll(/[.*+?^$()[\]|\\]/g, '\\$&'),
    )
    .join('');
}

function parameterCount({ path }: Route): number {
  return path.split('{').length;
}
