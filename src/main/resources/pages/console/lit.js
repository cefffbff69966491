// lit-html, which renders the page. The service serves it from its jar.

export { html, noChange, nothing, render } from './lit-html-3.3.2/lit-html.js';
export { AsyncDirective, directive } from './lit-html-3.3.2/async-directive.js';
export { guard } from './lit-html-3.3.2/directives/guard.js';
export { keyed } from './lit-html-3.3.2/directives/keyed.js';
export { repeat } from './lit-html-3.3.2/directives/repeat.js';
