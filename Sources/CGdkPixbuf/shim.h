#ifndef TIDEGATE_CGDKPIXBUF_SHIM_H
#define TIDEGATE_CGDKPIXBUF_SHIM_H

/* The functions of GdkPixbuf 2 that the program uses. The library's own headers are not included: its pkg-config file has flags that
   SwiftPM refuses with a warning at each build, and without them the headers are in directories that the compiler does not search.
   The library keeps these functions stable: https://docs.gtk.org/gdk-pixbuf/ */

#include <stddef.h>

typedef struct GdkPixbuf GdkPixbuf;
typedef struct GdkPixbufFormat GdkPixbufFormat;
typedef struct GError GError;

GdkPixbufFormat *gdk_pixbuf_get_file_info(const char *filename, int *width, int *height);
char *gdk_pixbuf_format_get_name(GdkPixbufFormat *format);
GdkPixbuf *gdk_pixbuf_new_from_file_at_scale(
    const char *filename, int width, int height, int preserve_aspect_ratio, GError **error);
GdkPixbuf *gdk_pixbuf_apply_embedded_orientation(GdkPixbuf *picture);
/* The interpolation 2 is bilinear. */
GdkPixbuf *gdk_pixbuf_scale_simple(const GdkPixbuf *picture, int width, int height, int interpolation);
int gdk_pixbuf_get_width(const GdkPixbuf *picture);
int gdk_pixbuf_get_height(const GdkPixbuf *picture);
int gdk_pixbuf_get_rowstride(const GdkPixbuf *picture);
int gdk_pixbuf_get_has_alpha(const GdkPixbuf *picture);
const unsigned char *gdk_pixbuf_read_pixels(const GdkPixbuf *picture);
int gdk_pixbuf_save_to_bufferv(
    GdkPixbuf *picture, char **buffer, size_t *size, const char *type, char **keys, char **values, GError **error);

#endif
