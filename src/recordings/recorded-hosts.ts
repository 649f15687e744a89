import { hasHost } from '../text/host-matcher.js';
import { parsedUrl } from '../text/parsed-url.js';

/** Hosts to which traces, logs, errors and usage are sent. Sources: the documentation of each, November 2026. */
const hosts = [
  ...['*.applicationinsights.azure.com', '*.axiom.co', '*.datadoghq.com', '*.datadoghq.eu'],
  ...['*.grafana.net', '*.honeycomb.io', '*.langfuse.com', '*.logfire.dev', '*.nr-data.net'],
  ...['*.posthog.com', '*.sentry.io', '*.signalfx.com', '*.traceloop.com', 'api.segment.io'],
  ...['*.api.smith.langchain.com', 'api.smith.langchain.com', 'api.mixpanel.com'],
  ...['*.amplitude.com', '*.arize.com', '*.newrelic.com', 'logfire-*.pydantic.dev'],
];

/** Paths of the OpenTelemetry protocol: https://opentelemetry.io/docs/specs/otlp/#otlphttp-request. */
const otlpPath = /\/v1\/(traces|metrics|logs)$/;

/** True for a request that is never recorded: the settings name its host, or it hands in telemetry. Reading something from such a host is no telemetry. */
export function isIgnored(
  { method, url }: { readonly method: string; readonly url: string },
  ignore: readonly string[] = [],
): boolean {
  if (hasHost(url, ignore)) return true;
  if (/^(get|head)$/i.test(method)) return false;
  return otlpPath.test(parsedUrl(url)?.pathname ?? '') || hasHost(url, hosts);
}
