import { createRequire } from 'node:module';

/** A message of OpenTelemetry's own protobuf definition. */
interface MessageType {
  fromObject(value: object): object;
  verify(message: object): string | null;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): object;
}

const require = createRequire(import.meta.url);
// What is generated from the definition is no part of the package's public API.
const { opentelemetry } = require('@opentelemetry/otlp-transformer/build/src/generated/root.js');
const request: MessageType = opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

const ids = new Set(['traceId', 'spanId', 'parentSpanId']);

/** OTLP JSON as a receiver has it, once it was a request in bytes: without what the definition does not know. */
export function throughProtobuf(data: object): unknown {
  // OTLP JSON has ids as hexadecimal digits, protobuf's own JSON as Base64.
  const given = changed(data, (key, value) =>
    ids.has(key) ? Buffer.from(String(value), 'hex') : value,
  );
  const message = request.fromObject(given as object);
  const problem = request.verify(message);
  if (problem !== null) throw new Error(problem);
  const decoded = request.decode(request.encode(message).finish());
  const read = request.toObject(decoded, { longs: String, enums: Number, bytes: Array });
  return changed(read, (key, value) =>
    ids.has(key) ? Buffer.from(value as number[]).toString('hex') : value,
  );
}

/** A list without items is no field in protobuf. */
export function withoutEmptyLists(data: object): unknown {
  return changed(data, (_, value) =>
    Array.isArray(value) && value.length === 0 ? undefined : value,
  );
}

function changed(value: unknown, change: (key: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => changed(item, change));
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  const fields = Object.entries(value).flatMap(([key, field]) => {
    const made = change(key, field);
    return made === undefined ? [] : [[key, made === field ? changed(field, change) : made]];
  });
  return Object.fromEntries(fields);
}
