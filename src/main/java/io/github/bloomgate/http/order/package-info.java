/** In which order a request passes what looks at it before its resource. */
package io.github.bloomgate.http.order;
