interface SidebarGroup {
  readonly text: string;
  readonly items: { readonly text: string; readonly link: string }[];
}

/** The groups and pages of docs/README.md, in its order: a group for each heading with pages below it. */
export function sidebarOf(contents: string): SidebarGroup[] {
  return contents
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.split('\n', 1).join(),
      items: [...section.matchAll(/^(?:\| |\d+\. )\[([^\]]+)\]\(([^)#:]+)\.md\)/gm)].map(
        ([, text = '', page = '']) => ({ text, link: `/${page}` }),
      ),
    }))
    .filter(({ items }) => items.length > 0);
}
