/** The query of the page, with its `?`; the one of now, not that of the last render. */
export const pageSearch = () => location.search;

/** Path and query of the page. */
export const pageAddress = () => `${location.pathname}${location.search}`;
