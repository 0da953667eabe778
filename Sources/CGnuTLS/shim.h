#ifndef TIDEGATE_CGNUTLS_SHIM_H
#define TIDEGATE_CGNUTLS_SHIM_H

#include <stddef.h>
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

/* Reads a certificate chain and its private key, both in PEM, and checks that they belong together. Returns a negative error
   code on failure. */
static inline int tidegate_tls_read(
    gnutls_certificate_credentials_t credentials, const void *chain, size_t chain_bytes, const void *key, size_t key_bytes) {
  gnutls_datum_t chain_text = {(unsigned char *) chain, (unsigned int) chain_bytes};
  gnutls_datum_t key_text = {(unsigned char *) key, (unsigned int) key_bytes};
  return gnutls_certificate_set_x509_key_mem(credentials, &chain_text, &key_text, GNUTLS_X509_FMT_PEM);
}

/* Writes the SHA-256 of the public key of the first certificate, in the form SubjectPublicKeyInfo. Returns a negative error code
   on failure. */
static inline int tidegate_tls_key_digest(gnutls_certificate_credentials_t credentials, unsigned char digest[32]) {
  gnutls_x509_crt_t *chain = NULL;
  unsigned int count = 0;
  gnutls_pubkey_t key = NULL;
  gnutls_datum_t text = {NULL, 0};
  int code = gnutls_certificate_get_x509_crt(credentials, 0, &chain, &count);
  if (code >= 0) code = gnutls_pubkey_init(&key);
  if (code >= 0) code = gnutls_pubkey_import_x509(key, chain[0], 0);
  if (code >= 0) code = gnutls_pubkey_export2(key, GNUTLS_X509_FMT_DER, &text);
  if (code >= 0) code = gnutls_hash_fast(GNUTLS_DIG_SHA256, text.data, text.size, digest);
  gnutls_free(text.data);
  gnutls_pubkey_deinit(key);
  for (unsigned int place = 0; place < count; place++) gnutls_x509_crt_deinit(chain[place]);
  gnutls_free(chain);
  return code;
}

#endif
