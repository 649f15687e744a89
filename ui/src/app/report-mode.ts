declare const __REPORT__: boolean;

/** True in a report: a page over results that it carries, where nothing can be changed and no server is asked. */
export const isReport: boolean = __REPORT__;
