// Types of text files that are imported `with { type: 'text' }`: name `assay/text` in `types` of tsconfig.json.

declare module '*.md' {
  const text: string;
  export default text;
}

declare module '*.mdx' {
  const text: string;
  export default text;
}

declare module '*.txt' {
  const text: string;
  export default text;
}

declare module '*.prompt' {
  const text: string;
  export default text;
}

declare module '*.html' {
  const text: string;
  export default text;
}

declare module '*.xml' {
  const text: string;
  export default text;
}

declare module '*.csv' {
  const text: string;
  export default text;
}

declare module '*.yaml' {
  const text: string;
  export default text;
}

declare module '*.yml' {
  const text: string;
  export default text;
}

declare module '*.sql' {
  const text: string;
  export default text;
}
